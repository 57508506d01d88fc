/** What eval files are usually called, so that they are found, and never shown to an agent. */
const NAME = /^(?:evals?|eval[-_]?(?:queries|set)|trigger[-_]?(?:evals?|queries|set))(?:[-_.].*)?\.json$/i;
const OTHERS: ReadonlySet<string> = new Set(['eval-config.json']);

export function isEvalFileName(name: string): boolean {
  return NAME.test(name) && !OTHERS.has(name);
}
