// Data of one view: loaded when it opens, again when the server says that it changed, with its error if there is one.
import { useCallback, useEffect, useRef, useState } from "../vendor/preact.js";
import { get } from "./api.js";

// `path` null loads nothing; each of `stamps` that changes loads again, showing the old data meanwhile.
export function useLoaded(path, ...stamps) {
  const [result, setResult] = useState({ path: null, data: null, error: null });
  const [round, setRound] = useState(0);
  const latest = useRef(0);
  useEffect(() => {
    if (path == null) return undefined;
    const control = new AbortController();
    latest.current += 1;
    const mine = latest.current;
    get(path, { signal: control.signal }).then(
      (data) => mine === latest.current && setResult({ path, data, error: null }),
      (error) => error.name !== "AbortError" && mine === latest.current && setResult({ path, data: null, error }),
    );
    return () => control.abort();
  }, [path, round, ...stamps]);
  const reload = useCallback(() => setRound((n) => n + 1), []);
  const replace = useCallback((data) => setResult({ path, data, error: null }), [path]);
  const own = result.path === path;
  return { data: own ? result.data : null, error: own ? result.error : null, reload, replace };
}
