/** What bwrap wrote on its status descriptor. */
export class SandboxStatus {
  #text = '';

  add(text: string): void {
    this.#text += text;
  }

  get childPid(): number | null {
    return this.#number('child-pid');
  }

  /** null: the command never ran. */
  get exitCode(): number | null {
    return this.#number('exit-code');
  }

  #number(key: string): number | null {
    const match = new RegExp(`"${key}"\\s*:\\s*(\\d+)`).exec(this.#text);
    return match ? Number(match[1]) : null;
  }
}
