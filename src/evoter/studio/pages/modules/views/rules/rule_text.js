// Rule text being typed: completion while typing, and the server's objection under the place it is about.
import { html, useEffect, useId, useRef, useState } from "../../../vendor/preact.js";
import { Button, Notice } from "../../components/parts.js";
import { check, effectSentence, tryEdits } from "../../draft.js";
import { current, tell } from "../../store.js";
import { completions } from "./completion.js";

const PAUSE = 250;

// The line with an error and a caret under its column; without a place, the message alone.
export function Objection({ error, id }) {
  const { column, source } = error.more;
  return html`<${Notice} kind="bad" id=${id} role="alert">
    ${source != null && column != null && html`<pre class="caret">${`${source}\n${" ".repeat(Math.max(0, column - 1))}^`}</pre>`}
    <strong>${error.message}</strong>${error.hint && html`<div class="small">${error.hint}</div>`}
  <//>`;
}

function Suggestions({ id, offers, active, onPick }) {
  return html`<ul class="suggestions" role="listbox" id=${id} aria-label="Suggestions" hidden=${!offers.length}>
    ${offers.map(
      (offer, i) => html`<li key=${offer.insert} id=${`${id}-${i}`} role="option" aria-selected=${String(i === active)} class=${i === active ? "active" : ""} onPointerDown=${(event) => { event.preventDefault(); onPick(offer); }}>
        <code>${offer.insert.trim()}</code><span class="muted small">${offer.about}</span>
      </li>`,
    )}
  </ul>`;
}

// `edits(text)` are the edits that the text stands for; nothing is changed before "apply".
export function RuleText({ rules, text: given, label, apply, edits, onDone, conditionOnly, lines = 2 }) {
  const [text, setText] = useState(given);
  const [found, setFound] = useState({ error: null, preview: null });
  const [offers, setOffers] = useState([]);
  const [active, setActive] = useState(-1);
  const field = useRef(null);
  const id = useId();

  // What was typed is not lost when the rule that it is about disappears, or another view is opened.
  const typed = useRef("");
  typed.current = text.trim() && text !== given ? text : "";
  const closed = useRef(false);
  const done = () => {
    closed.current = true;
    onDone();
  };
  useEffect(() => {
    field.current.focus();
    return () => void (typed.current && !closed.current && tell("bad", `${label} was not applied.`, `You had typed: ${typed.current}`));
  }, []);
  useEffect(() => {
    if (!text.trim() || text === given) {
      setFound({ error: null, preview: null });
      return undefined;
    }
    const control = new AbortController();
    const timer = setTimeout(() => {
      check(edits(text), control.signal).then(
        (preview) => setFound({ error: null, preview }),
        (error) => error.name !== "AbortError" && setFound({ error, preview: null }),
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [text]);

  const suggest = (value, caret) => {
    setOffers(completions(value.slice(0, caret), rules, conditionOnly));
    setActive(-1);
  };
  const pick = (offer) => {
    const caret = field.current.selectionStart;
    const start = caret - offer.replace;
    const next = text.slice(0, start) + offer.insert + text.slice(caret);
    setText(next);
    const end = start + offer.insert.length;
    requestAnimationFrame(() => field.current?.setSelectionRange(end, end));
    suggest(next, end);
  };
  const keys = (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") return void submit(event);
    if (event.key === "Escape" && offers.length) {
      event.preventDefault();
      return void setOffers([]);
    }
    if (event.key === "Escape") return void done();
    if (offers.length && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      return void setActive((active + step + offers.length) % offers.length);
    }
    if (active >= 0 && (event.key === "Enter" || event.key === "Tab")) {
      event.preventDefault();
      pick(offers[active]);
    }
    return undefined;
  };
  const submit = async (event) => {
    event.preventDefault();
    const wanted = edits(text);
    try {
      await check(wanted);
    } catch (error) {
      setFound({ error, preview: null });
      return;
    }
    if (await tryEdits([...(current().draft?.edits ?? []), ...wanted], [])) done();
  };

  return html`<form class="rule-editor" onSubmit=${submit}>
    <label for=${`${id}-text`} class="visually-hidden">${label}</label>
    <div class="editor-field">
      <textarea
        id=${`${id}-text`}
        ref=${field}
        class="rule-text"
        rows=${lines}
        maxlength="200000"
        spellcheck="false"
        autocomplete="off"
        autocapitalize="off"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls=${`${id}-offers`}
        aria-activedescendant=${active >= 0 ? `${id}-offers-${active}` : undefined}
        aria-invalid=${found.error ? "true" : undefined}
        aria-describedby=${found.error ? `${id}-error` : undefined}
        placeholder=${conditionOnly ? "age > 65" : "age > 65 AND … -> decision"}
        value=${text}
        onInput=${(event) => { setText(event.target.value); suggest(event.target.value, event.target.selectionStart); }}
        onKeyDown=${keys}
        onBlur=${() => setOffers([])}
      ></textarea>
      <${Suggestions} id=${`${id}-offers`} offers=${offers} active=${active} onPick=${pick} />
    </div>
    <div class="editor-answer">
      ${found.error ? html`<${Objection} error=${found.error} id=${`${id}-error`} />` : html`<p class="small muted">${found.preview ? effectSentence(found.preview.effect) : "Ctrl+Enter applies, Escape closes."}</p>`}
    </div>
    <div class="actions"><${Button} small onClick=${done}>Cancel<//><button type="submit" class="button small primary" disabled=${!text.trim() || text === given}>${apply}</button></div>
  </form>`;
}
