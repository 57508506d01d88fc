import { describe, expect, it } from 'vitest';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { auditPermissions } from '../../src/package/rules/permissions.ts';
import {
  type Files,
  findingLine,
  findingsOf,
  MANIFEST,
  skillText,
  writePackage,
} from '../helpers/package.ts';

const SKILL = { 'skills/echo/SKILL.md': skillText('echo') };

function withPermissions(permissions: unknown, fields: object = {}): Promise<string[]> {
  return findingsOf({ ...SKILL, 'package.agent.json': { ...MANIFEST, permissions, ...fields } });
}

async function audit(permissions: unknown, files: Files = {}): Promise<string[]> {
  await using pkg = await writePackage({ 'package.agent.json': { ...MANIFEST, permissions }, ...files });
  return [...auditPermissions(await readPackage(pkg.root))].map(findingLine);
}

describe('the permission audit', () => {
  it('warns about a package that declares none', async () => {
    expect(await audit(undefined)).toMatchInlineSnapshot(`
      [
        "warning package.agent.json:1:1 permissions: no permissions are declared, so nothing limits what the package may do (declare permissions: {} if it needs none)",
      ]
    `);
    expect(await audit({})).toEqual([]);
  });

  it('warns about everything that allows too much', async () => {
    expect(
      await audit({
        fs: { read: ['**'], write: ['**', '.', './', './**', '**/*', 'src/**'] },
        network: { hosts: ['*', '*.example.com'], schemes: ['https', 'http'] },
        shell: { allow: true, binaries: [] },
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning package.agent.json:28:14 permissions: any program may be run (list the programs in permissions.shell.binaries)",
        "warning package.agent.json:10:9 permissions: "**" allows writing everywhere in the project (name the folders that are written)",
        "warning package.agent.json:11:9 permissions: "." allows writing everywhere in the project (name the folders that are written)",
        "warning package.agent.json:12:9 permissions: "./" allows writing everywhere in the project (name the folders that are written)",
        "warning package.agent.json:13:9 permissions: "./**" allows writing everywhere in the project (name the folders that are written)",
        "warning package.agent.json:14:9 permissions: "**/*" allows writing everywhere in the project (name the folders that are written)",
        "warning package.agent.json:20:9 permissions: "*" allows every host (name the hosts)",
        "warning package.agent.json:25:9 permissions: http is not encrypted (use https)",
      ]
    `);
    expect(await audit({ shell: { allow: true } })).toHaveLength(1);
  });

  it('is content with what is narrow', async () => {
    expect(
      await audit({
        fs: { read: ['**'], write: ['output/**'] },
        network: { hosts: ['example.com'], schemes: ['https', 'wss'] },
        shell: { allow: true, binaries: ['git'] },
      }),
    ).toEqual([]);
    expect(await audit({ shell: { allow: false } })).toEqual([]);
  });

  it('says nothing about a bare skill', async () => {
    await using pkg = await writePackage({ 'SKILL.md': skillText('a') });
    expect([...auditPermissions(await readPackage(pkg.root))]).toEqual([]);
  });

  it('is part of the whole check when the package can run something', async () => {
    const bare = { ...SKILL, 'package.agent.json': MANIFEST };
    expect(await findingsOf(bare)).toEqual([]);
    const declared = 'no permissions are declared';
    const running: Files[] = [
      { 'skills/echo/scripts/a.sh': '' },
      { 'hooks/hooks.json': { version: 1, hooks: {} } },
      { 'mcp/servers.json': { servers: {} } },
    ];
    for (const files of running) expect((await findingsOf({ ...bare, ...files })).join()).toContain(declared);
  });
});

describe('permissions', () => {
  it('have fields of the right kind', async () => {
    expect(
      await withPermissions({
        fs: { read: 'x', delete: [] },
        network: { host: [], schemes: 'https' },
        shell: { allow: 'no' },
        gpu: true,
      }),
    ).toMatchInlineSnapshot(`
      [
        "error package.agent.json:6:15 wrong-type: permissions.fs.read must be a list, not a string ("x")",
        "warning package.agent.json:7:7 unknown-key: permissions.fs.delete is not a known field",
        "warning package.agent.json:10:7 unknown-key: permissions.network.host is not a known field (did you mean permissions.network.hosts?)",
        "error package.agent.json:11:18 wrong-type: permissions.network.schemes must be a list, not a string ("https")",
        "error package.agent.json:14:16 wrong-type: permissions.shell.allow must be true or false, not a string ("no")",
        "warning package.agent.json:16:5 unknown-key: permissions.gpu is not a known field",
      ]
    `);
  });

  it('name patterns of the project, hosts and programs', async () => {
    const wrong = {
      fs: { read: ['/etc/**', 'src/**'], write: ['../x', 'C:\\x', 'a\\b'] },
      network: {
        hosts: [
          '10.0.0.1',
          '127.0.0.1:80',
          '[::1]',
          'https://example.com',
          'a.*.com',
          '*.*.com',
          'example.com/path',
          '',
        ],
        schemes: ['htps', 'gopher'],
      },
      shell: { allow: true, binaries: ['/usr/bin/git', 'git'] },
    };
    expect(await withPermissions(wrong)).toMatchInlineSnapshot(`
      [
        "error package.agent.json:7:9 path-outside: the pattern "/etc/**" is absolute (patterns are relative to the project)",
        "error package.agent.json:11:9 path-outside: the pattern "../x" leads outside with ".." (patterns are relative to the project)",
        "error package.agent.json:12:9 path-outside: the pattern "C:\\\\x" is absolute (patterns are relative to the project)",
        "error package.agent.json:13:9 path-outside: the pattern "a\\\\b" has a backslash: use forward slashes (patterns are relative to the project)",
        "error package.agent.json:18:9 wrong-value: "10.0.0.1" is not the name of a host (write example.com, or *.example.com for one level below; no addresses)",
        "error package.agent.json:19:9 wrong-value: "127.0.0.1:80" is not the name of a host (write example.com, or *.example.com for one level below; no addresses)",
        "error package.agent.json:20:9 wrong-value: "[::1]" is not the name of a host (write example.com, or *.example.com for one level below; no addresses)",
        "error package.agent.json:21:9 wrong-value: "https://example.com" is not the name of a host (write example.com, or *.example.com for one level below; no addresses)",
        "error package.agent.json:22:9 wrong-value: "a.*.com" is not the name of a host (write example.com, or *.example.com for one level below; no addresses)",
        "error package.agent.json:23:9 wrong-value: "*.*.com" is not the name of a host (write example.com, or *.example.com for one level below; no addresses)",
        "error package.agent.json:24:9 wrong-value: "example.com/path" is not the name of a host (write example.com, or *.example.com for one level below; no addresses)",
        "error package.agent.json:25:9 wrong-value: "" is not the name of a host (write example.com, or *.example.com for one level below; no addresses)",
        "warning package.agent.json:28:9 unknown-value: "htps" is not known here (did you mean https?)",
        "warning package.agent.json:29:9 unknown-value: "gopher" is not known here (known: https, http, wss, ws)",
        "warning package.agent.json:35:9 wrong-value: "/usr/bin/git" matches nothing: programs are compared by name (write "git")",
      ]
    `);
    const right = {
      fs: { read: ['src/**', './a'], write: ['output/**'] },
      network: {
        hosts: ['example.com', '*.example.com', 'localhost', 'a.b.example:8443'],
        schemes: ['https', 'wss'],
      },
      shell: { allow: true, binaries: ['git'] },
    };
    expect(await withPermissions(right)).toEqual([]);
  });

  it('are the same in extras and grants', async () => {
    const wrong = { fs: { write: ['/etc'] }, network: { hosts: ['1.1.1.1'] } };
    expect(
      await withPermissions(
        {},
        {
          dependencies: { base: '*' },
          permissionGrants: { base: wrong },
          extras: { ocr: { permissions: wrong } },
        },
      ),
    ).toMatchInlineSnapshot(`
      [
        "error package.agent.json:12:11 path-outside: the pattern "/etc" is absolute (patterns are relative to the project)",
        "error package.agent.json:17:11 wrong-value: "1.1.1.1" is not the name of a host (write example.com, or *.example.com for one level below; no addresses)",
        "error package.agent.json:27:13 path-outside: the pattern "/etc" is absolute (patterns are relative to the project)",
        "error package.agent.json:32:13 wrong-value: "1.1.1.1" is not the name of a host (write example.com, or *.example.com for one level below; no addresses)",
      ]
    `);
  });
});
