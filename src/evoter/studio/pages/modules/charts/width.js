// Charts are drawn in real pixels, so that text keeps its size on a phone: their width is that of their place.
import { useLayoutEffect, useRef, useState } from "../../vendor/preact.js";

export function useWidth(assumed = 480) {
  const ref = useRef(null);
  const [width, setWidth] = useState(assumed);
  useLayoutEffect(() => {
    const measure = () => ref.current && setWidth(Math.max(160, Math.floor(ref.current.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
