/** One trial: how it was graded, and what happened. */
import { useMemo } from 'preact/hooks';
import { isPartial, scoreWords } from '../model/score.ts';
import type { TrialDetails, ViewerCapture, ViewerTrial } from '../model/viewer.ts';
import { Evidence } from './evidence.ts';
import { Files } from './files.tsx';
import { Fold } from './fold.tsx';
import { allTokens, count, money, percent, plural, seconds, time } from './format.ts';
import { HooksLog } from './hooks-log.tsx';
import { JudgeView } from './judge.tsx';
import { TextBlock } from './text-block.tsx';
import { Timeline } from './timeline.tsx';
import { VerdictMark } from './verdict.tsx';
import { visible, visibleLine } from './visible.ts';

export function TrialView({ trial }: { trial: ViewerTrial }) {
  const { details } = trial;
  const capture = trial.capture.state === 'here' ? trial.capture.capture : null;
  const quotes = useMemo(
    () => (details?.judge?.criteria ?? []).flatMap(({ evidence }) => evidence),
    [details],
  );
  return (
    <Evidence.Provider value={quotes}>
      {details === null ? (
        <p class="cut">
          Details of this trial were left out to keep this page small. The report’s JSON has them.
        </p>
      ) : (
        <>
          <Figures trial={trial} details={details} />
          {details.error !== undefined && (
            <div class={`error ${trial.verdict}`}>
              {details.error_kind && <span class="tag">{visibleLine(details.error_kind)}</span>}
              <TextBlock text={details.error} preview={1_000} lines={12} />
            </div>
          )}
          <Checks checks={details.checks} />
          {details.groups && <Groups groups={details.groups} />}
          {details.judge && <JudgeView judge={details.judge} capture={capture} />}
        </>
      )}
      {capture ? <CaptureView capture={capture} /> : <Missing trial={trial} />}
    </Evidence.Provider>
  );
}

function Figures({ trial, details }: { trial: ViewerTrial; details: TrialDetails }) {
  const { usage, cost_usd, agent, skills, warnings, tape, score } = details;
  const tokens = allTokens(usage);
  const cached = usage.cache_read_tokens + usage.cache_write_tokens;
  return (
    <>
      <dl class="figures">
        <Figure name="Time" value={seconds(trial.duration_seconds)} />
        <Figure
          name="Tokens"
          value={count(tokens)}
          more={
            tokens === null
              ? undefined
              : `${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out, ${count(cached)} cached`
          }
        />
        <Figure name="Cost" value={money(cost_usd)} />
        {score !== undefined && <Figure name="Score" value={percent(score)} />}
        <Figure name="Model" value={visibleLine(agent.model ?? '') || 'not told'} />
        <Figure name="Skills used" value={visibleLine(skills.join(', ')) || 'none'} />
        {tape && <Figure name="Tape" value={tape.source} more={`of ${time(tape.recorded_at)}`} />}
      </dl>
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          {visible(warning)}
        </p>
      ))}
    </>
  );
}

function Figure({ name, value, more }: { name: string; value: string; more?: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {more && <span class="muted"> ({more})</span>}
      </dd>
    </div>
  );
}

function Checks({ checks }: { checks: TrialDetails['checks'] }) {
  if (checks.length === 0) return null;
  return (
    <section>
      <h3>Checks</h3>
      <ul class="checks">
        {checks.map(({ check, verdict, score, message }) => (
          <li key={check} class={verdict}>
            <VerdictMark verdict={verdict} />
            <span class="check-name">
              {visibleLine(check)}
              <PartScore score={score} />
            </span>
            <span class="prose">{visible(message)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PartScore({ score }: { score: number | null | undefined }) {
  return isPartial(score) ? <span class="muted"> {scoreWords(score)}</span> : null;
}

/** Each with its members, which stand above or with the judge. */
function Groups({ groups }: { groups: NonNullable<TrialDetails['groups']> }) {
  return (
    <section>
      <h3>Groups</h3>
      <ul class="checks groups">
        {groups.map(({ group, verdict, score, message, members }) => (
          <li key={group} class={verdict}>
            <VerdictMark verdict={verdict} />
            <span class="check-name">
              {visibleLine(group)}
              <PartScore score={score} />
            </span>
            <span class="prose">
              {visible(message)}
              <span class="muted"> ({visibleLine(members.join(', '))})</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CaptureView({ capture }: { capture: ViewerCapture }) {
  const { output, steps, hooks, hooksLeftOut, files, filesLeftOut, stderr, exitCode, ended, command } =
    capture;
  return (
    <>
      <section>
        <h3>Output</h3>
        {output === '' ? <p class="muted">The agent gave no answer.</p> : <TextBlock text={output} />}
      </section>
      <section>
        <h3>Timeline</h3>
        <Timeline steps={steps} />
      </section>
      {hooks.length > 0 && (
        <section>
          <h3>Hooks</h3>
          <HooksLog hooks={hooks} leftOut={hooksLeftOut} />
        </section>
      )}
      <section>
        <h3>Files</h3>
        <Files files={files} leftOut={filesLeftOut} />
      </section>
      <Fold summary={`Process: ${ended}${exitCode === null ? '' : `, exit ${exitCode}`}`}>
        {() => (
          <>
            <p class="who">Command</p>
            <TextBlock text={command} />
            <p class="who">Error output</p>
            {stderr === '' ? <p class="muted">None.</p> : <TextBlock text={stderr} />}
          </>
        )}
      </Fold>
    </>
  );
}

function Missing({ trial: { capture, details } }: { trial: ViewerTrial }) {
  const why = capture.state === 'left-out' ? capture.why : 'this trial left nothing behind';
  const snippet = details?.snippet ?? '';
  return (
    <section>
      <h3>Output</h3>
      <p class="cut">What the agent did is not in this page: {visibleLine(why)}</p>
      {snippet !== '' && (
        <>
          <p class="muted">The beginning of its output ({plural(snippet.length, 'character')}):</p>
          <TextBlock text={snippet} />
        </>
      )}
    </section>
  );
}
