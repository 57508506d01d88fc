/** A package that uses every field of every document, and is right. */
import { stringify } from 'yaml';
import type { SchemaName } from '../../src/model/schemas.ts';
import type { Files } from '../helpers/package.ts';

type Document = Readonly<Record<string, unknown>>;

/** Where each document of the package stands, what it is, and what is in it. */
export const FULL_DOCUMENTS: Readonly<Record<string, { schema: SchemaName; value: Document }>> = {
  'package.agent.json': {
    schema: 'manifest',
    value: {
      $schema: 'urn:aam:schema:manifest',
      name: '@acme/full-package',
      version: '1.2.3-beta.1+build.5',
      description: 'Everything there is.',
      author: 'Acme',
      license: 'MIT',
      repository: 'https://example.com/acme/full.git',
      homepage: 'https://example.com/',
      category: 'tools',
      keywords: ['pdf', 'text'],
      engines: { 'claude-code': '>=1.0.0', codex: '*', 'some-other': '1' },
      artifacts: {
        skills: [{ name: 'pdf-tools', path: './skills/pdf-tools', description: 'Reads PDFs' }],
        agents: [{ name: 'reader', path: 'agents/reader' }],
        commands: [{ name: 'summarize', path: 'commands/summarize.md' }],
      },
      files: ['skills/**', 'hooks/**', 'README.md'],
      dependencies: { '@acme/base': '^1.0.0', util: '>=1.0.0 <2.0.0' },
      optionalDependencies: { extra: '~2.0.0' },
      peerDependencies: { host: '*' },
      resolutions: { leaf: '1.0.1' },
      dependencyGroups: {
        eval: {
          description: 'For evals',
          dependencies: { judge: '1.0.0' },
          systemDependencies: { node: '>=20' },
        },
      },
      extras: {
        ocr: {
          description: 'Scans',
          dependencies: { ocr: '<3.0.0' },
          systemDependencies: { binaries: ['tesseract'] },
          artifacts: { skills: ['pdf-tools'], agents: ['reader'], commands: ['summarize'] },
          permissions: { shell: { allow: true, binaries: ['tesseract'] } },
        },
      },
      systemDependencies: {
        python: '>=3.10',
        node: '>=20',
        packages: { pip: ['pypdf'], npm: ['pdf'], brew: ['poppler'], apt: ['poppler-utils'], cargo: ['pdf'] },
        binaries: ['pdftotext'],
        'mcp-servers': ['files'],
      },
      env: { PDF_KEY: { description: 'Key', required: true, default: 'none' } },
      permissions: {
        fs: { read: ['src/**', '*.pdf'], write: ['output/**'] },
        network: { hosts: ['example.com', '*.example.org', 'localhost:8080'], schemes: ['https', 'wss'] },
        shell: { allow: true, binaries: ['pdftotext'] },
      },
      permissionGrants: { '@acme/base': { fs: { read: ['docs/**'] } } },
      quality: {
        tests: [{ name: 'unit', command: 'npm test', description: 'Fast' }],
        evals: [
          {
            name: 'e2e',
            path: 'evals/cases/extract.yaml',
            description: 'Slow',
            metrics: [{ name: 'accuracy', type: 'number', target: 0.9 }],
          },
        ],
      },
      skills: './skills',
      commands: './commands/',
      agents: 'agents',
      rules: './rules',
      hooks: './hooks/hooks.json',
      mcp: './mcp/servers.json',
      'dist-tags': { latest: '1.2.3', next: '2.0.0-rc.1' },
      installMode: { default: 'uaaps', 'claude-code': 'plugin' },
      resolverVersion: 1,
      deprecated: { message: 'Use another.', replacement: '@acme/other' },
      'x-acme': { color: 'blue' },
    },
  },
  'package.agent.lock': {
    schema: 'lock',
    value: {
      lockVersion: 2,
      resolved: {
        '@acme/base': {
          version: '1.4.0',
          integrity: 'sha256-q83vEg==',
          source: {
            type: 'registry',
            registry: 'https://registry.example.com',
            name: '@acme/base',
            version: '1.4.0',
            tarball: 'https://registry.example.com/base.aam',
            resolvedTag: 'latest',
            display: 'base',
          },
          dependencies: { leaf: '1.0.1' },
        },
        util: { version: '1.5.0', integrity: 'sha256-abc', source: { type: 'file', path: '../util' } },
        leaf: {
          version: '1.0.1',
          integrity: 'sha256-abc',
          source: { type: 'bundle', path: 'bundle.json', target: 'leaf', display: 'leaf' },
        },
        host: { version: '2.0.0-rc.1', integrity: 'sha256-abc', source: { type: 'file', path: '../host' } },
        judge: { version: '1.0.0', integrity: 'sha256-abc', source: { type: 'file', path: '../judge' } },
      },
      groups: { eval: true },
      selectedExtras: { ocr: false },
      systemChecks: { node: 'v20', binaries: { pdftotext: true } },
      workspaceMembers: ['a'],
    },
  },
  'skills/pdf-tools/SKILL.md': {
    schema: 'skill',
    value: {
      name: 'pdf-tools',
      description: 'Reads PDFs. Use it when there is one.',
      license: 'MIT',
      compatibility: { requires: ['python'], optional: ['ocr'], packages: ['@acme/base'] },
      metadata: { author: 'acme', level: 3 },
      'allowed-tools': 'Read Bash',
      context: 'fork',
      agent: 'reader',
      model: 'sonnet',
      'argument-hint': '[file]',
      'user-invocable': true,
      'disable-model-invocation': true,
    },
  },
  'commands/summarize.md': {
    schema: 'command',
    value: {
      name: 'summarize',
      description: 'Summarizes',
      'argument-hint': '[file]',
      'allowed-tools': ['Read'],
      model: 'sonnet',
      variables: [
        { name: 'file', description: 'Which', required: true },
        { name: 'pages', enum: [1, 2, 'all'], default: 1 },
      ],
    },
  },
  'agents/reader/agent.yaml': {
    schema: 'agent',
    value: {
      name: 'reader',
      description: 'Reads',
      model: 'sonnet',
      system_prompt: 'system-prompt.md',
      version: '1.0.0',
      skills: ['pdf-tools', '@acme/base:read', '@acme/full-package:pdf-tools'],
      commands: ['summarize', 'util:clean'],
      tools: ['Read'],
      parameters: { temperature: 0.5, style: 'terse', output_format: 'markdown', anything: [1] },
    },
  },
  'agents/reader/system-prompt.md': {
    schema: 'system-prompt',
    value: { description: 'How it reads', capabilities: ['reading'] },
  },
  'rules/style/RULE.md': {
    schema: 'rule',
    value: {
      name: 'style',
      description: 'Style',
      apply: { mode: 'files', globs: ['**/*.ts'] },
      version: '1.0.0',
      agents: { copilot: { enabled: true }, cursor: { enabled: false, extra: 1 }, claude: {}, codex: {} },
      refs: ['docs/style.md'],
    },
  },
  'hooks/hooks.json': {
    schema: 'hooks',
    value: {
      version: 1,
      description: 'Guards',
      hooks: {
        'pre-tool-use': [
          {
            matcher: 'Write|Edit',
            hooks: [
              // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of hooks
              { type: 'command', command: '${PACKAGE_ROOT}/hooks/scripts/guard.sh', timeout: 300 },
              { type: 'prompt', prompt: 'Is $ARGUMENTS safe?', timeout: 1 },
            ],
          },
        ],
        stop: [{ hooks: [{ type: 'command', command: 'echo done' }] }],
      },
    },
  },
  'mcp/servers.json': {
    schema: 'mcp-servers',
    value: {
      servers: {
        files: {
          type: 'stdio',
          command: 'node',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of servers
          args: ['${PACKAGE_ROOT}/mcp/server.js', '--verbose'],
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of servers
          env: { KEY: '${input:key}', HOME_DIR: '${HOME}' },
          envFile: '.env',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of servers
          cwd: '${PACKAGE_ROOT}/mcp',
        },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of servers
        'over-http': { type: 'http', command: '${PACKAGE_ROOT}/mcp/start.sh' },
        remote: { type: 'sse', url: 'https://example.com/mcp', headers: { Authorization: 'x' } },
      },
      inputs: [{ type: 'promptString', id: 'key', description: 'Key', password: true }],
    },
  },
  'evals/eval-config.json': {
    schema: 'eval-config',
    value: {
      version: 1,
      engine: 'claude-code',
      timeout: 60,
      judge: 'claude-sonnet',
      command: ['my-agent', '{prompt}'],
      sandbox: { network: true, 'writable-paths': ['src/', 'output/'] },
      env: { EVAL_MODE: 'true' },
    },
  },
  'evals/cases/extract.yaml': {
    schema: 'eval-case',
    value: {
      name: 'extract',
      description: 'Extracts',
      target: 'skill:pdf-tools',
      input: {
        prompt: 'Extract fixtures/a.txt',
        files: ['fixtures/a.txt', 'fixtures'],
        'workspace-files': ['src/empty.txt'],
      },
      expected: {
        contains: ['Hello'],
        'not-contains': ['ERROR'],
        'files-created': ['output/a.txt'],
        'agent-blocked': false,
      },
      judge: { criteria: 'All of it.' },
    },
  },
  'skills/pdf-tools/tests/test-config.json': {
    schema: 'test-config',
    value: { version: 1, timeout: 5, env: { A: 'b' } },
  },
  'skills/pdf-tools/tests/cases/01-basic.yaml': {
    schema: 'skill-test-case',
    value: {
      name: 'basic',
      description: 'Basic',
      input: {
        command: 'scripts/run.sh < tests/fixtures/a.txt',
        stdin: null,
        files: ['tests/fixtures/a.txt'],
      },
      expected: {
        'exit-code': 3,
        'stdout-contains': ['a'],
        'stderr-contains': ['b'],
        'not-contains': ['c'],
        'stdout-json': { a: [1, null, 'x'] },
      },
    },
  },
  'hooks/tests/test-config.json': {
    schema: 'test-config',
    value: { version: 1, env: { PACKAGE_ROOT: '.' } },
  },
  'hooks/tests/cases/01-block.yaml': {
    schema: 'hook-test-case',
    value: {
      name: 'block',
      description: 'Blocks',
      event: 'pre-tool-use',
      'hook-index': 0,
      input: { fixture: 'fixtures/write.json', overrides: { 'toolInput.file_path': '/etc/passwd' } },
      expected: {
        'exit-code': 2,
        'stdout-contains': ['x'],
        'stderr-contains': ['denied'],
        'not-contains': ['allowed'],
        'stdout-json': null,
      },
    },
  },
};

const OTHER_FILES: Files = {
  'skills/pdf-tools/scripts/run.sh!': '#!/bin/sh\ncat\n',
  'skills/pdf-tools/references/format.md': '# Format\n',
  'skills/pdf-tools/tests/fixtures/a.txt': 'a\n',
  'rules/more.rule.md': ruleText('more'),
  'rules/deep/down/under/RULE.md': ruleText('under'),
  '.aam/rules/local.rule.md': ruleText('local'),
  'rules/old/RULE.md': '---\ndescription: Old\nglobs: "*.ts"\nalwaysApply: false\n---\nOld text.\n',
  'hooks/scripts/guard.sh!': '#!/bin/sh\nexit 0\n',
  'hooks/tests/fixtures/write.json': { hookEventName: 'pre-tool-use', toolName: 'Write', toolInput: {} },
  'mcp/server.js': '',
  'mcp/start.sh!': '#!/bin/sh\n',
  'evals/fixtures/a.txt': 'Hello\n',
  'AGENTS.md': '# Instructions\n',
  'README.md': '# Full\n',
};

function ruleText(name: string): string {
  return `---\nname: ${name}\ndescription: The rule ${name}\napply:\n  mode: always\n---\nDo it.\n`;
}

export const FULL_PACKAGE: Files = {
  ...Object.fromEntries(
    Object.entries(FULL_DOCUMENTS).map(([path, { value }]) => [path, documentText(path, value)]),
  ),
  ...OTHER_FILES,
};

/** A document as its file has it: JSON, YAML, or frontmatter with a body. */
export function documentText(path: string, value: unknown): string {
  if (path.endsWith('.yaml')) return stringify(value);
  if (!path.endsWith('.md')) return JSON.stringify(value, null, 2);
  const body = path.startsWith('commands/')
    ? 'Summarize {{file}}, {{ pages }}.'
    : 'See [format](references/format.md).';
  return `---\n${stringify(value)}---\n${body}\n`;
}
