// What the pages use of Preact and htm; `make bundle` turns it into preact.js.
export { Fragment, h, render } from "preact";
export { useCallback, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { h } from "preact";
import htm from "htm";
export const html = htm.bind(h);
