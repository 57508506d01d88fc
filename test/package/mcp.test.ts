import { describe, expect, it } from 'vitest';
import { CLEAN, findingsOf } from '../helpers/package.ts';

const FILES = { 'mcp/server.js': '', 'mcp/start.sh!': '', 'mcp/plain.sh': '', '.env': '' };
const ROOT = '$' + '{PACKAGE_ROOT}';

function withServers(servers: unknown, inputs?: unknown): Promise<string[]> {
  return findingsOf({ ...CLEAN, ...FILES, 'mcp/servers.json': { servers, inputs } });
}

describe('mcp/servers.json', () => {
  it('has servers of the right kind', async () => {
    expect(await findingsOf({ ...CLEAN, 'mcp/servers.json': { mcpServers: {} } })).toMatchInlineSnapshot(`
      [
        "error mcp/servers.json:1:1 missing-key: servers is required",
        "warning mcp/servers.json:2:3 unknown-key: mcpServers is not a known field (did you mean servers?)",
      ]
    `);
    expect(
      await withServers(
        {
          'Bad Name': { command: 'x' },
          empty: {},
          args: { command: 'x', args: 'y', env: { A: 1, 'B C': 'x' } },
          remote: { type: 'http', url: 3 },
          text: 'x',
        },
        [{ id: 3 }],
      ),
    ).toMatchInlineSnapshot(`
      [
        "error mcp/servers.json:3:5 wrong-key: servers["Bad Name"]: the key must hold only a-z, 0-9 and hyphens",
        "error mcp/servers.json:6:14 missing-key: servers.empty.command is required",
        "error mcp/servers.json:9:15 wrong-type: servers.args.args must be a list, not a string ("y")",
        "error mcp/servers.json:11:14 wrong-type: servers.args.env.A must be a string, not a number (1) (put it in quotes)",
        "error mcp/servers.json:12:9 wrong-key: servers.args.env["B C"]: the key must be a variable name: letters, digits and _",
        "error mcp/servers.json:17:14 wrong-type: servers.remote.url must be a string, not a number (3) (put it in quotes)",
        "error mcp/servers.json:19:13 wrong-type: servers.text must be a map of keys, not a string ("x")",
        "error mcp/servers.json:22:5 missing-key: inputs[0].type is required",
        "error mcp/servers.json:23:13 wrong-type: inputs[0].id must be a string, not a number (3) (put it in quotes)",
      ]
    `);
    expect(
      await withServers({
        a: { command: 'npx', args: ['-y', 'x'] },
        b: { type: 'http', url: 'https://example.com' },
        c: { type: 'http', command: 'x' },
      }),
    ).toEqual([]);
  });

  it('may have types that are not known yet', async () => {
    expect(
      await withServers({ a: { type: 'streamable-http', url: 'x' } }, [{ type: 'pick', id: 'x' }]),
    ).toMatchInlineSnapshot(`
      [
        "warning mcp/servers.json:4:15 unknown-value: "streamable-http" is not known here (known: stdio, http, sse)",
        "warning mcp/servers.json:10:15 unknown-value: "pick" is not known here (known: promptString)",
      ]
    `);
  });

  it('starts files that are there', async () => {
    expect(
      await withServers({
        a: { command: `${ROOT}/mcp/strat.sh` },
        b: { command: './mcp/plain.sh' },
        c: { command: 'node', args: [`${ROOT}/mcp/serve.js`, `${ROOT}/../x.js`, '../y.js'] },
        d: { command: '../x', cwd: `${ROOT}/none`, envFile: `${ROOT}/none.env` },
      }),
    ).toMatchInlineSnapshot(`
      [
        "error mcp/servers.json:4:18 missing-file: mcp/strat.sh does not exist (did you mean mcp/start.sh?)",
        "error mcp/servers.json:7:18 not-executable: mcp/plain.sh is not executable (chmod +x mcp/plain.sh)",
        "error mcp/servers.json:12:9 missing-file: mcp/serve.js does not exist (did you mean mcp/server.js?)",
        "error mcp/servers.json:13:9 path-outside: the path "\${PACKAGE_ROOT}/../x.js" leads outside with ".." (only files of the package are there when it is installed)",
        "error mcp/servers.json:18:18 path-outside: the path "../x" leads outside with ".." (only files of the package are there when it is installed)",
        "error mcp/servers.json:19:14 missing-file: none does not exist (there is: mcp/plain.sh, mcp/server.js, mcp/start.sh)",
        "error mcp/servers.json:20:18 missing-file: none.env does not exist (there is: mcp/plain.sh, mcp/server.js, mcp/start.sh)",
      ]
    `);
    expect(
      await withServers({
        a: { command: `${ROOT}/mcp/start.sh`, cwd: `${ROOT}/mcp/`, envFile: `${ROOT}/.env` },
        b: { command: '/usr/bin/x', args: [`${ROOT}/mcp/server.js`, '$' + '{HOME}/x', '--root=/'] },
      }),
    ).toEqual([]);
  });

  it('asks only for inputs that are declared', async () => {
    const servers = {
      a: { command: 'x', env: { KEY: 'a $' + '{input:ky} $' + '{input:key} $' + '{OTHER}' } },
      b: { url: 'x', headers: { Authorization: 'Bearer $' + '{input:tokn}' } },
    };
    expect(await withServers(servers)).toMatchInlineSnapshot(`
      [
        "error mcp/servers.json:6:16 unknown-input: there is no input "ky" (the package has no inputs)",
        "error mcp/servers.json:6:16 unknown-input: there is no input "key" (the package has no inputs)",
        "error mcp/servers.json:12:26 unknown-input: there is no input "tokn" (the package has no inputs)",
      ]
    `);
    const inputs = ['key', 'ky', 'tokn'].map((id) => ({ type: 'promptString', id }));
    expect(await withServers(servers, inputs)).toEqual([]);
  });
});
