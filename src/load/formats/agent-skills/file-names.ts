/** What eval files are usually called, so that they are found, and never shown to an agent. */
const NAME =
  /^(?:evals?|evals[-_.].+|(?:eval[-_]?(?:queries|set)|trigger[-_]?(?:evals?|queries|set))(?:[-_.].*)?)\.json$/i;

export function isEvalFileName(name: string): boolean {
  return NAME.test(name);
}
