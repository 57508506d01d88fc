/** What a trial needs of a worker, in words. Apart: whoever only says it loads no schema. */
import type { WorkerNeeds } from './needs.ts';

export function needsInWords({
  engine,
  engineVersion,
  providers,
  tags,
  network,
  sandbox,
  aam,
}: WorkerNeeds): string {
  return [
    `${engine}${engineVersion === null ? '' : ` ${engineVersion}`}`,
    ...(providers.length > 0 ? [`credentials for ${providers.join(' and ')}`] : []),
    ...(tags.length > 0 ? [`the tags ${tags.join(', ')}`] : []),
    ...(network ? ['network'] : []),
    ...(sandbox === 'none' ? ['no sandbox'] : []),
    `aam ${aam}`,
  ].join(', ');
}
