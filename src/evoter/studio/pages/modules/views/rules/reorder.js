// Moving rules: with the pointer (mouse, pen or finger) and with the keyboard, with the same result.
import { useEffect, useRef, useState } from "../../../vendor/preact.js";
import { speak } from "../../store.js";

export function useReorder(length, onMove) {
  const list = useRef(null);
  const focus = useRef(null);
  const [drag, setDrag] = useState({ dragged: null, target: null });

  // After a move, the handle of the moved rule has the focus again, so that one can go on pressing the arrow keys.
  useEffect(() => {
    if (focus.current == null) return;
    list.current?.querySelector(`[data-handle="${focus.current}"]`)?.focus();
  });

  const move = async (from, to) => {
    focus.current = to;
    const done = await onMove(from, to);
    speak(done ? `Rule ${from} is now rule ${to} of ${length}.` : "The rule stays where it is.");
    setTimeout(() => {
      focus.current = null;
    }, 0);
  };

  const under = (y) => {
    const rules = [...list.current.querySelectorAll("[data-rule]")];
    const found = rules.findIndex((element) => y < element.getBoundingClientRect().bottom);
    return found < 0 ? rules.length : found + 1;
  };

  const grab = (event, from) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    let to = from;
    const moved = (next) => {
      to = under(next.clientY);
      setDrag({ dragged: from, target: to === from ? null : to });
    };
    const dropped = (end) => {
      handle.removeEventListener("pointermove", moved);
      handle.removeEventListener("pointerup", dropped);
      handle.removeEventListener("pointercancel", dropped);
      setDrag({ dragged: null, target: null });
      if (end.type === "pointerup" && to !== from) move(from, to);
    };
    handle.addEventListener("pointermove", moved);
    handle.addEventListener("pointerup", dropped);
    handle.addEventListener("pointercancel", dropped);
  };

  return { list, move, grab, ...drag };
}
