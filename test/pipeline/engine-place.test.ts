import { execPath } from 'node:process';
import { expect, it } from 'vitest';
import { placeEngine } from '../../src/pipeline/engine-place.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

const sandbox = (isolatesFiles: boolean) =>
  ({ isolatesFiles, seenAt: ({ from, to }) => (isolatesFiles ? to : from) }) as Sandbox;

it('puts programs at the same place on every machine, wherever they are installed', () => {
  for (const program of ['/usr/bin/claude', '/opt/tools/claude']) {
    const place = placeEngine(sandbox(true), program);
    expect(place).toMatchObject({ program: '/aam/engine/claude', node: '/aam/node' });
    expect(place.mounts).toContainEqual({ from: program, to: '/aam/engine/claude', mode: 'ro' });
    expect(place.mounts).toContainEqual({ from: execPath, to: '/aam/node', mode: 'ro' });
  }
});

it('leaves them where they are without a sandbox', () => {
  expect(placeEngine(sandbox(false), '/usr/bin/claude')).toMatchObject({
    program: '/usr/bin/claude',
    node: execPath,
  });
});
