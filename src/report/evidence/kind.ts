/** What an evidence archive is. */
import type { ArchiveKind } from '../../host/archive/archive.ts';
import { REPORT_MARK } from '../../model/report.ts';

const MIB = 1024 * 1024;

export const EVIDENCE: ArchiveKind = {
  // An archive that lies in a package holds the answers: by this no agent gets to see it.
  comment: REPORT_MARK,
  limits: { entries: 100_000, entryBytes: 256 * MIB, bytes: 4096 * MIB },
};

export const MANIFEST = 'manifest.json';
export const SIGNATURE = 'manifest.sig';
export const REPORT = 'report.json';
