/** The three ways of failing: the user's input, the machine, and (anything else) a bug. */

/** Something in the user's input is wrong; the message says where, the hint says what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly hints: readonly string[];

  constructor(message: string, ...hints: readonly string[]) {
    super(message);
    this.hints = hints;
  }
}

/** Something the run needs is missing on this machine; the hints are the commands that fix it. */
export class PrerequisiteError extends Error {
  override readonly name = 'PrerequisiteError';
  readonly hints: readonly string[];

  constructor(message: string, ...hints: readonly string[]) {
    super(message);
    this.hints = hints;
  }
}
