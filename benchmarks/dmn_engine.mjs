// Decides rows with a DMN decision table: dmn-moddle reads the document, and feelin evaluates FEEL.
// Standard input is {"modules": folder, "document": XML, "rows": [{label of input: value}]}; output is a JSON array.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";

const given = JSON.parse(readFileSync(0, "utf8"));
const require = createRequire(`${given.modules}/`);
const load = async (name) => await import(pathToFileURL(require.resolve(name)));
const { evaluate, unaryTest } = await load("feelin");
const { DmnModdle, default: Moddle } = await load("dmn-moddle");

const { rootElement, warnings } = await new (DmnModdle ?? Moddle)().fromXML(given.document);
if (warnings.length > 0) {
  throw new Error(`not DMN: ${warnings.map((warning) => warning.message).join("; ")}`);
}
const parts = rootElement.drgElement;
const names = parts.filter((part) => part.$type === "dmn:InputData").map((part) => [part.label, part.name]);
const table = parts.find((part) => part.$type === "dmn:Decision").decisionLogic;
if (table.$type !== "dmn:DecisionTable" || table.hitPolicy !== "FIRST") {
  throw new Error(`expected a decision table with hit policy FIRST, not ${table.$type} ${table.hitPolicy}`);
}
const columns = (table.input ?? []).map((input) => input.inputExpression.text);
const rules = table.rule.map((rule) => ({
  tests: (rule.inputEntry ?? []).map((entry) => entry.text),
  output: rule.outputEntry[0].text,
}));

// A cell that reads only its own column gives the same answer for the same value.
const known = new Map();
const satisfies = (test, value) => {
  if (test === "-") {
    return true;
  }
  const key = `${typeof value} ${value} ${test}`;
  if (!known.has(key)) {
    known.set(key, unaryTest(test, { "?": value }) === true);
  }
  return known.get(key);
};

const decide = (row) => {
  const context = Object.fromEntries(names.map(([label, name]) => [name, row[label] ?? null]));
  const values = columns.map((column) => (column in context ? context[column] : evaluate(column, context)));
  const { output } = rules.find((rule) => rule.tests.every((test, place) => satisfies(test, values[place])));
  return evaluate(output, context);
};

console.log(JSON.stringify(given.rows.map(decide)));
