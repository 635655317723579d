// Groups side by side: rates with intervals, the largest differences, which rules make them, and proxies.
import { html, useState } from "../../../vendor/preact.js";
import { useAnswer } from "../../asking.js";
import { Intervals } from "../../charts/intervals.js";
import { Favourable } from "../../components/favourable.js";
import { Badge, Card, Failure, Notice, Waiting } from "../../components/parts.js";
import { count, percent, percentRange, points } from "../../format.js";
import { link } from "../../router.js";

const RATES = {
  selection_rate: ["Chosen", "share that gets the decision"],
  accuracy: ["Right", "share decided as labelled"],
  false_negative_rate: ["Overlooked", "share of those labelled so who do not get it"],
  false_positive_rate: ["Chosen wrongly", "share of the others who get it"],
  precision: ["Right when chosen", "share of those who get it who are labelled so"],
};

function Rate({ audited, rate }) {
  const groups = audited.groups.filter((group) => group.rates[rate]);
  const worst = audited.disparities.find((each) => each.rate === rate);
  if (!groups.length) return html`<p class="muted small">No group has rows for this rate.</p>`;
  const rows = groups.map((group) => {
    const { share, interval, rows: hits, among } = group.rates[rate];
    return {
      name: group.name,
      detail: `${count(hits)} of ${count(among)}${group.too_few_rows ? ", few rows" : ""}`,
      estimate: share,
      low: interval[0],
      high: interval[1],
      apart: worst?.clear && [worst.highest, worst.lowest].includes(group.name),
      text: `${percent(share)} (${percentRange(...interval)})`,
    };
  });
  return html`<${Intervals} rows=${rows} domain=${[0, 1]} write=${(n) => percent(n, 0)} />`;
}

function Contributions({ disparity }) {
  const parts = disparity.contributions.filter((each) => Math.abs(each.part) > 0.0005).sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
  if (!parts.length) return null;
  return html`<span class="small muted">${parts.slice(0, 3).map((each, i) => html`${i ? ", " : ""}<a href=${link("rules")}>rule ${each.rule}</a> ${points(each.part)}`)}</span>`;
}

function Differences({ audited, rate, onRate }) {
  return html`<table>
    <caption class="visually-hidden">Largest differences between groups of ${audited.column}</caption>
    <thead><tr><th scope="col">Rate</th><th scope="col">Difference (95 % interval)</th><th scope="col">Verdict</th><th scope="col">Highest and lowest</th><th scope="col">Made by</th></tr></thead>
    <tbody>${audited.disparities.filter((each) => RATES[each.rate]).map((each) => html`<tr>
      <th scope="row"><button type="button" class="column-name" aria-pressed=${String(each.rate === rate)} onClick=${() => onRate(each.rate)}>${RATES[each.rate][0]}</button></th>
      <td class="number">${points(each.difference)} <span class="muted small">(${points(each.interval[0])} to ${points(each.interval[1])})</span></td>
      <td>${each.clear ? html`<${Badge} kind="bad">clear<//>` : html`<${Badge}>may be chance<//>`}</td>
      <td><span class="label-text">${each.highest}</span> <span class="muted">and</span> <span class="label-text">${each.lowest}</span></td>
      <td><${Contributions} disparity=${each} /></td>
    </tr>`)}</tbody>
  </table>`;
}

function Column({ audited, min }) {
  const [rate, setRate] = useState(audited.disparities.find((each) => each.clear && RATES[each.rate])?.rate ?? "selection_rate");
  return html`<${Card} title=${`${audited.column}: ${audited.favourable}`} note=${`${audited.read_by_rules.length ? `Read by rule ${audited.read_by_rules.join(", ")}` : "Read by no rule"}. ${RATES[rate][0]}: ${RATES[rate][1]}.`}>
    <${Rate} audited=${audited} rate=${rate} />
    ${audited.disparities.length ? html`<div class="scroll" tabindex="0" role="group" aria-label=${`Differences between groups of ${audited.column}`}><${Differences} audited=${audited} rate=${rate} onRate=${setRate} /></div>` : html`<p class="small muted">Groups are compared from ${min} rows on.</p>`}
  <//>`;
}

function Proxies({ proxies }) {
  if (!proxies.length) return null;
  return html`<${Notice} kind="warn">
    <strong>${proxies.length === 1 ? "One condition stands" : `${proxies.length} conditions stand`} for a protected column.</strong>
    <ul>${proxies.slice(0, 6).map((proxy) => html`<li class="small">Rule ${proxy.rule}: ${proxy.condition == null ? "its conditions together hold" : html`<code>${proxy.condition}</code> holds`} for ${percent(proxy.holds_in_group, 0)} of ${proxy.group} and ${percent(proxy.holds_in_others, 0)} of the others (strength ${proxy.strength.toFixed(2)}).</li>`)}</ul>
  <//>`;
}

export function Audit({ state, part }) {
  const { protected: columns } = state.project;
  const version = state.rules.version;
  const { data, error, retry } = useAnswer("/api/audit", columns.length ? { version, part } : null, version, state.project.favourable);
  if (!columns.length) return html`<${Notice} kind="info"><strong>No column is protected.</strong> Start the studio with <code>--protected NAME</code> to compare groups of people.<//>`;
  if (error) return html`<${Failure} error=${error} onRetry=${retry} />`;
  if (!data) return html`<${Waiting} what="the comparison of groups" />`;
  return html`<section class="stack" aria-label="Groups">
    <h2>Groups</h2>
    <${Favourable} project=${state.project} />
    <${Proxies} proxies=${data.proxies} />
    ${data.columns.map((audited) => html`<${Column} key=${`${audited.column} ${audited.favourable}`} audited=${audited} min=${data.min_rows} />`)}
  </section>`;
}
