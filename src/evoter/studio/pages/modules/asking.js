// Questions to the server that a person changes while looking at the answer: the last answer stays until the next.
import { useCallback, useEffect, useRef, useState } from "../vendor/preact.js";
import { post } from "./api.js";

const PAUSE = 150;

// `body` null asks nothing; it is compared by its JSON text. `stamps` ask again, and so does calling `retry`.
export function useAnswer(path, body, ...stamps) {
  const [result, setResult] = useState({ data: null, error: null });
  const [round, setRound] = useState(0);
  const first = useRef(true);
  const text = body == null ? null : JSON.stringify(body);
  useEffect(() => {
    if (text == null) {
      setResult({ data: null, error: null });
      return undefined;
    }
    const control = new AbortController();
    const ask = () =>
      post(path, JSON.parse(text), { signal: control.signal }).then(
        (data) => setResult({ data, error: null }),
        (error) => error.name !== "AbortError" && setResult((before) => ({ data: before.data, error })),
      );
    const timer = setTimeout(ask, first.current ? 0 : PAUSE);
    first.current = false;
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [path, text, round, ...stamps]);
  const retry = useCallback(() => setRound((n) => n + 1), []);
  return { ...result, retry };
}
