/** Small questions that one process can answer: asked where tests are defined, answered together for the first test. */
export function together<Question, Answer>(
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => () => Promise<Answer> {
  const questions: Question[] = [];
  let answers: Promise<readonly Answer[]> | null = null;
  return (question) => {
    if (answers !== null) throw new Error('it is asked after the others were answered');
    const at = questions.push(question) - 1;
    return async () => {
      answers ??= answerAll(questions);
      const answer = (await answers)[at];
      if (answer === undefined) throw new Error(`question ${at} has no answer`);
      return answer;
    };
  };
}
