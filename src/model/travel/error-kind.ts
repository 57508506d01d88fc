/** Why something is undecided or failed without its checks, as it travels. */
import { z } from 'zod';

export const MODEL_KINDS = [
  'model-auth',
  'model-rate-limit',
  'model-overloaded',
  'model-server-error',
  'model-bad-request',
  'model-unreachable',
  'model-cut-off',
  'model-stalled',
] as const;

export const trialErrorKind = z.enum([
  'timeout',
  'agent-crashed',
  'agent-error',
  'too-much-output',
  'too-much-disk',
  'too-many-processes',
  'engine-failed',
  'unsupported',
  'sandbox',
  'setup-failed',
  'interrupted',
  'no-judge',
  'judge-unusable',
  'judge-split',
  'tape-miss',
  ...MODEL_KINDS,
  'budget',
  'file_copy_error',
  'ungraded',
  'check-undecided',
  'worker-lost',
  'no-worker',
  'internal',
]);
