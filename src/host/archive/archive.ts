/** Archives of files: a tar with one way of writing each thing, so that equal contents are equal bytes. */

/** What both sides of an archive must agree on. */
export interface ArchiveKind {
  /** Stands uncompressed at the beginning of the file, so that it is known for what it is. */
  readonly comment: string;
  readonly limits: ArchiveLimits;
}

interface ArchiveLimits {
  readonly entries: number;
  /** Of one entry. */
  readonly entryBytes: number;
  /** Of all together with their headers; packed or unpacked, whichever is more. */
  readonly bytes: number;
}

/** A file. Folders are not written down: they follow from the names. */
export interface EntryFacts {
  /** Relative, with forward slashes. */
  readonly name: string;
  readonly size: number;
  readonly executable: boolean;
}

export type ArchiveFault =
  /** It is something else, or another program packed it. */
  | 'not-an-archive'
  /** Bytes are missing or changed. */
  | 'damaged'
  /** It holds what no archive of ours holds. */
  | 'unsafe'
  | 'too-large';

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly fault: ArchiveFault;

  constructor(fault: ArchiveFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
