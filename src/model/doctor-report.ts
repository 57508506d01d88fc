/** What `aam doctor` found on this machine, as `--json` prints it. */
import { z } from 'zod';

const doctorCheck = z.object({
  id: z.string(),
  /** `optional`: not here, and nothing depends on it. */
  state: z.enum(['ok', 'missing', 'problem', 'optional']),
  /** Never holds a key, a token or an account. */
  summary: z.string(),
  /** What to do, a command where there is one; each line is an alternative. */
  fix: z.string().optional(),
});

export const doctorReport = z.object({
  version: z.literal(1),
  /** `aam test` can run, and `aam eval` can with at least one engine. */
  ok: z.boolean(),
  checks: z.array(doctorCheck),
  ready: z.object({
    test: z.boolean(),
    /** The engines `aam eval` can use now. */
    eval: z.array(z.string()),
  }),
});

export type DoctorCheck = z.output<typeof doctorCheck>;
export type DoctorReport = z.output<typeof doctorReport>;
