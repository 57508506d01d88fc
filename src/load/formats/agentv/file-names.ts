/** What eval files of AgentV's kind are called, so that they are found, and never shown to an agent. */
export function isEvalName(name: string): boolean {
  return /^(?:eval|.+\.eval)\.ya?ml$/i.test(name);
}
