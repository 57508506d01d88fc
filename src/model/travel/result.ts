/** What a machine that ran a trial sends back: the result, and what the trial left behind. */
import { z } from 'zod';
import { hookRun } from '../hook-log.ts';
import type { Capture, ErrorKind, TrialResult } from '../trial.ts';
import { trialErrorKind } from './error-kind.ts';
import { agentEvent } from './events.ts';
import { judged, usage, verdict } from './judgement.ts';
import { amount, exactly, insidePath, json, text, texts } from './parts.ts';

const errorKind = exactly<ErrorKind>()(trialErrorKind);

const decided = { verdict, score: amount.nullable(), message: text };

const check = z.strictObject({ check: text, ...decided, details: json.optional() });

const group = z.strictObject({ group: text, ...decided, members: texts });

const tape = z.strictObject({ file: text, source: z.enum(['recorded', 'scripted']), recordedAt: text });

export const travellingResult = exactly<TrialResult>()(
  z.strictObject({
    trial: text,
    case: text,
    verdict,
    score: amount.nullable(),
    checks: z.array(check),
    groups: z.array(group).optional(),
    error: text.nullable(),
    errorKind: errorKind.nullable(),
    durationMs: amount,
    usage,
    costUsd: amount.nullable(),
    judged: judged.nullable(),
    sessionId: text.nullable(),
    model: text.nullable(),
    engineVersion: text.nullable(),
    output: text,
    skillsActivated: texts,
    warnings: texts,
    tape: tape.nullable(),
    notTaped: text.optional(),
    capture: insidePath.nullable(),
  }),
);

const fileChange = z.strictObject({
  path: text,
  change: z.enum(['created', 'modified', 'deleted']),
  diff: text.nullable(),
});

export const travellingCapture = exactly<Capture>()(
  z.strictObject({
    trial: text,
    command: texts,
    exitCode: z.int().nullable(),
    ended: text,
    output: text,
    stderr: text,
    events: z.array(agentEvent),
    hooks: z.array(hookRun.strict()),
    files: z.array(fileChange),
  }),
);
