/**
 * Random tests try the same values each time, so that a failure is about the change and not about luck.
 * `AAM_TEST_SEED=random npm test` tries others, and names the seed of what fails: `AAM_TEST_SEED=<seed>` tries those again.
 */
import process from 'node:process';
import fc from 'fast-check';

const wanted = process.env['AAM_TEST_SEED'] ?? '20261115';
if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });
