/** What a writer of a format makes of cases, and what the format cannot say. */
export interface Written {
  readonly text: string;
  readonly losses: readonly Loss[];
}

export interface Loss {
  /** null: about the file as a whole. */
  readonly case: string | null;
  /** `left-out`: the case is not in the output. `changed`: it is, and is graded in another way. */
  readonly kind: 'left-out' | 'changed';
  readonly what: string;
}

/** What a writer has to know besides the cases. */
export interface About {
  /** The skill that is under test; null: none is named. */
  readonly skill: string | null;
  /** Words for where the cases come from. */
  readonly origin: string;
}
