// Modal dialogs: the browser's own element keeps the focus inside and closes on Escape.
import { html, useEffect, useRef } from "../../vendor/preact.js";
import { Button } from "./parts.js";

export function Dialog({ title, onClose, children }) {
  const ref = useRef(null);
  useEffect(() => {
    const before = document.activeElement;
    ref.current.showModal();
    return () => before?.focus?.();
  }, []);
  return html`<dialog class="dialog" ref=${ref} aria-label=${title} onClose=${onClose}>
    <div class="dialog-body">
      <div class="row spread"><h2>${title}</h2><${Button} icon="close" label="Close" kind="quiet" small onClick=${() => ref.current.close()} /></div>
      ${children}
    </div>
  </dialog>`;
}
