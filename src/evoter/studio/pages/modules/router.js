// Which view is shown is in the address (#/case?row=12), so that going back and links work.
import { useEffect, useState } from "../vendor/preact.js";

function here() {
  const [path, search = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: path, values: new URLSearchParams(search) };
}

export const link = (view, values = {}) => {
  const search = new URLSearchParams(values).toString();
  return `#/${view}${search ? `?${search}` : ""}`;
};

export const go = (view, values) => {
  location.hash = link(view, values);
};

export function useRoute() {
  const [route, setRoute] = useState(here);
  useEffect(() => {
    const update = () => setRoute(here());
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return route;
}
