/** Instructions for an agent that leads an evaluation. */
import type { PromptOverview } from '../../pipeline/prompt-eval.ts';
import { plural, safeLine } from './safe-text.ts';

export function renderPromptOverview({ file, skill, tests }: PromptOverview): string {
  const path = shellWord(safeLine(file));
  const subject = skill === null ? 'an agent' : `the skill ${safeLine(skill)}`;
  const runnable = tests.filter(({ problem }) => problem === null);
  const broken = tests.filter(({ problem }) => problem !== null);
  return `# Evaluate ${subject} with ${safeLine(file)}

You lead this evaluation. There are ${plural(runnable.length, 'case')}. For each of them, a fresh candidate does the task and a fresh judge decides. You give each of them exactly what is said here, and you do neither the task nor the judging yourself.

## For each case

1. Get its input, and a folder with its files:
   \`aam prompt eval input ${path} --test-id <id> --workspace <folder>\`
2. Start a new sub-agent as the candidate, in that folder${skill === null ? '' : `, with the skill ${safeLine(skill)} available`}. Give it the messages in \`input\`, one after the other, and nothing else. Never show it \`criteria\`, the eval file, this text, or the work of another candidate.
3. Write its final answer, word for word, to a file outside that folder. Correct nothing.
4. Get the checks and the prompts for the judge:
   \`aam prompt eval judge ${path} --test-id <id> --answer-file <file> --workspace <folder>\`
5. Go through \`evaluators\`:
   - \`completed\`: \`result.score\` is final. Do not judge it again.
   - \`prompt_ready\`: start a new sub-agent as the judge with \`system_prompt\` and \`user_prompt\`, unchanged. It answers in JSON, with a verdict and quotes. Look each quote up in what the judge was shown: a PASS whose quotes do not stand there is not used, and you ask once more. With \`judged_by\` "verdict", PASS scores 1 and FAIL 0. With "score", the judge gives 0 to 10: divide it by 10, and where \`negate\` is true take the result from 1. It has passed from \`pass_score\` on.
   - \`not_observable\`: it stays undecided. Do not guess.
6. Where there are \`groups\`, work out each as its \`how\` says. What is in the \`members\` of a group counts only through that group.
7. The score of the case is the mean of the scores of all evaluators and groups that are in no group, by \`weight\`. It passes when the score reaches \`pass_threshold\` and each of them with \`required\` has passed. A case with undecided evaluators is undecided, unless they could not change that.

If a candidate or a judge could not do its work (no answer, an error, a limit), the case is undecided: that is no failure of the skill.

## Cases

${runnable.map(line).join('\n')}
${broken.length === 0 ? '' : `\nThese are not run:\n\n${broken.map((it) => `- \`${safeLine(it.id)}\`: ${safeLine(it.problem ?? '')}`).join('\n')}\n`}
## At the end

Give a table with one row for each case: id, PASS, FAIL or undecided, score, and one sentence of evidence. Below it the numbers of each. Say that one run of each case proves little, and that \`aam eval ${path}\` runs them in a sandbox with statistics.`;
}

function line({ id, description, checks, criteria }: PromptOverview['tests'][number]): string {
  const about = description === null ? '' : ` ${safeLine(description)}`;
  return `- \`${safeLine(id)}\`:${about} (${plural(checks, 'check')}, ${criteria === 1 ? '1 criterion' : `${criteria} criteria`})`;
}

function shellWord(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
