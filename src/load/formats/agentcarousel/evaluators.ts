/** What decides a case beyond its assertions: rules, a golden file, a program or a judge. */
import type { Case, Criterion } from '../../../model/case.ts';
import type { EvaluatorName } from '../../../model/evaluators.ts';
import type { FixtureCase } from '../../../model/fixture.ts';
import { type Grader, grader } from '../../../model/grader.ts';
import { pathProblem } from '../../../model/names.ts';
import type { Json } from '../../../model/tests.ts';
import { type CaseReading, goldenGrader, readAssertion } from './assertions.ts';
import { findFile } from './place.ts';

export type Evaluated = Pick<Case, 'graders' | 'criteria' | 'scoring'>;

const EFFECTIVENESS = 0.7;
/** A critical item has to be right, but for a judge's reservations. */
const CRITICAL = 0.95;
const PROGRAM_MS = 60_000;

/** null after reporting what the evaluator lacks. */
export function readEvaluator(it: FixtureCase, name: EvaluatorName, reading: CaseReading): Evaluated | null {
  checkRubric(it, reading);
  const threshold = it.evaluator_config?.effectiveness_threshold ?? EFFECTIVENESS;
  return EVALUATORS_BY_NAME[name](it, threshold, reading);
}

type Read = (it: FixtureCase, threshold: number, reading: CaseReading) => Evaluated | null;

const rules: Read = (it, threshold, reading) => {
  const graders = (it.expected.rubric ?? []).flatMap(
    ({ id, weight, critical, auto_check: check }, index): Grader[] => {
      const path = ['expected', 'rubric', index];
      if (!check) {
        const hint = 'add an auto_check, or use the evaluator judge';
        if (critical) {
          const message = `the critical rubric item ${id} has no auto_check, so the evaluator rules cannot decide it`;
          reading.error(path, { rule: 'unscored', message, hint });
        } else {
          const message = `the rubric item ${id} has no auto_check, so the evaluator rules leaves it out of the score`;
          reading.warn(path, { rule: 'unscored', message, hint });
        }
        return [];
      }
      const share = { weight, required: critical ?? false };
      const made = readAssertion(
        check,
        id,
        share,
        [...path, 'auto_check'],
        it.evaluator_config ?? {},
        reading,
      );
      return made === null ? [] : [made];
    },
  );
  return { graders, criteria: [], scoring: { mode: 'score', threshold } };
};

const golden: Read = (it, _threshold, reading) => {
  const config = it.evaluator_config ?? {};
  if (!config.golden_path) return lacks('golden', 'golden_path', reading);
  const made = goldenGrader('golden', config, { weight: 1, required: true }, ['evaluator_config'], reading);
  return { graders: [made], criteria: [], scoring: { mode: 'score', threshold: made.minScore ?? 1 } };
};

const process: Read = (it, threshold, reading) => {
  const [program, ...rest] = it.evaluator_config?.process_cmd ?? [];
  if (program === undefined) return lacks('process', 'process_cmd', reading);
  const path = ['evaluator_config', 'process_cmd'];
  const script = [program, ...rest]
    .map((word) => findFile(word, reading.place))
    .find((found) => found !== null);
  if (!script && (program.includes('/') || rest.some((word) => word.includes('/'))))
    reading.warn(path, {
      rule: 'missing-program',
      message: `none of the files in process_cmd exists, so the evaluator process cannot run`,
      hint: 'paths are relative to the fixture’s folder or to one above it',
    });
  const options = {
    argv: [program, ...rest] as const,
    cwd: script?.folder ?? reading.place.folders[0],
    config: it as unknown as Json,
    timeoutMs: PROGRAM_MS,
    protocol: 'agentcarousel' as const,
  };
  const share = { weight: 1, required: true, minScore: threshold, place: reading.at(path) };
  return {
    graders: [grader('process', 'program', options, share)],
    criteria: [],
    scoring: { mode: 'score', threshold },
  };
};

const judge: Read = (it, threshold, reading) => {
  const guidance = it.evaluator_config?.judge_prompt?.trim() || null;
  const items = it.expected.rubric ?? [];
  if (items.length === 0 && guidance === null) return lacks('judge', 'rubric or judge_prompt', reading);
  const criteria = items.map(
    ({ id, description, weight, critical }): Criterion => ({
      id,
      text:
        guidance === null
          ? description.trim()
          : `${description.trim()}\n\nWhat else its author says: ${guidance}`,
      weight,
      required: critical ?? false,
      scale: [],
      minScore: critical ? CRITICAL : threshold,
    }),
  );
  const whole: Criterion = {
    id: 'judge_prompt',
    text: guidance ?? '',
    weight: 1,
    required: false,
    scale: [],
    minScore: threshold,
  };
  return {
    graders: [],
    criteria: criteria.length > 0 ? criteria : [whole],
    scoring: { mode: 'score', threshold },
  };
};

const EVALUATORS_BY_NAME: Readonly<Record<EvaluatorName, Read>> = { rules, golden, process, judge };

function lacks(evaluator: EvaluatorName, what: string, reading: CaseReading): null {
  reading.error(['evaluator_config'], {
    rule: 'missing-key',
    message: `the evaluator ${evaluator} needs a ${what}`,
  });
  return null;
}

const WEIGHT_TOLERANCE = 0.05;

/** Whatever evaluator looks at it. */
function checkRubric({ expected, evaluator_config: config }: FixtureCase, reading: CaseReading): void {
  const items = expected.rubric ?? [];
  const sum = items.reduce((total, { weight }) => total + weight, 0);
  for (const [index, { id }] of items.entries())
    if (items.findIndex((it) => it.id === id) < index)
      reading.error(['expected', 'rubric', index, 'id'], {
        rule: 'duplicate-id',
        message: `the rubric id ${id} is there twice`,
      });
  if (items.length > 0 && sum === 0)
    reading.error(['expected', 'rubric'], { rule: 'weights', message: 'all weights are 0' });
  else if (items.length > 0 && Math.abs(sum - 1) > WEIGHT_TOLERANCE)
    reading.warn(['expected', 'rubric'], {
      rule: 'weights',
      message: `the weights add up to ${Math.round(sum * 100) / 100}, not to 1`,
      hint: 'they count relative to each other',
    });
  const paths = [
    ...(config?.golden_path ? [{ written: config.golden_path, at: ['golden_path'] }] : []),
    ...(config?.process_cmd ?? []).map((written, index) => ({ written, at: ['process_cmd', index] })),
  ];
  for (const { written, at } of paths) {
    const problem = pathProblem(written);
    if (problem !== null)
      reading.error(['evaluator_config', ...at], {
        rule: 'bad-path',
        message: `${JSON.stringify(written)} ${problem}`,
        hint: 'paths are relative to the fixture’s folder or to one above it',
      });
  }
}
