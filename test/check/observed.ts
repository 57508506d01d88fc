/** A trial in which nothing happened; tests add what they are about. */
import type { Observed } from '../../src/check/graders.ts';

export const NOTHING: Observed = {
  answer: '',
  said: '',
  created: [],
  notFiles: {},
  existedBefore: [],
  present: [],
  read: () => ({ problem: 'is not there', state: 'missing' }),
  hooks: [],
  events: [],
  target: null,
  installed: [],
  confirmed: [],
  tellsSkills: true,
  tellsTools: true,
  durationMs: 1000,
  costUsd: null,
  usage: null,
  gap: null,
  hookGap: null,
  fileGap: null,
};
