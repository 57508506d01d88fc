/** What decides a case of a fixture beyond its assertions. */
export const EVALUATORS = ['rules', 'golden', 'process', 'judge'] as const;

export type EvaluatorName = (typeof EVALUATORS)[number];
