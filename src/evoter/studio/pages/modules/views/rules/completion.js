// What may come next in rule text: names of features, operators, categories, decisions.

const quoted = (text) => (/^[A-Za-z_][\w.-]*$/.test(text) ? text : JSON.stringify(text));

// The start of the name before the caret; names may have spaces, so the longest start of a known name counts.
function started(before, names) {
  const tail = before.slice(Math.max(0, before.length - 80));
  for (let i = 0; i < tail.length; i += 1) {
    if (i > 0 && /[\w"]/.test(tail[i - 1])) continue;
    const piece = tail.slice(i);
    if (piece.trim() && names.some((name) => name.toLowerCase().startsWith(piece.toLowerCase()))) return piece;
  }
  return "";
}

// Suggestions for the text up to the caret: [{insert, replace: number of characters before the caret, about}].
export function completions(before, rules, conditionOnly) {
  const { features, actions } = rules;
  const offer = (names, about) => {
    const piece = started(before, names);
    const tail = /\s$/.test(before) || !before || piece ? "" : " ";
    return names
      .filter((name) => name.toLowerCase().startsWith(piece.toLowerCase()) && name !== piece)
      .slice(0, 8)
      .map((name) => ({ insert: `${tail}${name} `, replace: piece.length, about }));
  };
  if (/(->|THEN)[^;\n]*$/i.test(before)) return offer(actions.map(quoted), "decision");
  const clause = before.split(/\bAND\b|[\n;]|\bIF\b/i).at(-1).trimStart();
  const feature = features.filter((each) => clause.startsWith(each.text)).sort((a, b) => b.text.length - a.text.length)[0];
  if (!feature) return offer(features.map((each) => each.text), "feature");
  const rest = clause.slice(feature.text.length).trimStart();
  if (!rest) return offer(feature.kind === "numeric" ? ["<=", ">", "<", ">="] : ["=", "!=", "in {"], "comparison");
  const value = /^(?:=|!=|in \{(?:.*,)?)\s*/.exec(rest);
  if (value && !rest.slice(value[0].length).trim().length && feature.kind !== "numeric") return offer((feature.categories ?? []).map(quoted), `value of ${feature.name}`);
  if (value && feature.kind !== "numeric" && !(feature.categories ?? []).map(quoted).includes(rest.slice(value[0].length).trim())) return offer((feature.categories ?? []).map(quoted), `value of ${feature.name}`);
  if (/[\w"}]\s*$/.test(rest)) return offer(conditionOnly ? ["AND"] : ["AND", "->"], "go on");
  return [];
}
