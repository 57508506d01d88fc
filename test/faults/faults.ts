/** The one list of faults: what is injected, and what it must come to. */
import { ENGINE_FAULTS } from './engine-faults.ts';
import type { Fault } from './fault.ts';
import { HOOK_FAULTS } from './hook-faults.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';
import { MODEL_FAULTS } from './model-faults.ts';

export const FAULTS: readonly Fault[] = [
  ...MODEL_FAULTS,
  ...ENGINE_FAULTS,
  ...HOOK_FAULTS,
  ...MACHINE_FAULTS,
];
