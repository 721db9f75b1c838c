/** The rooms of docs/architecture.md: imports point inward. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'runtime-imports-nothing-local',
      severity: 'error',
      from: { path: '^src/runtime/' },
      to: { path: '^src/', pathNot: '^src/runtime/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'No room but its own and runtime; no Node built-ins, no I/O packages.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: '^src/', pathNot: '^src/(domain|runtime)/' },
    },
    {
      name: 'domain-has-no-io',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|assert)$' },
    },
    {
      name: 'app-imports-inward',
      severity: 'error',
      from: { path: '^src/(app|tooling)/' },
      to: { path: '^src/', pathNot: '^src/(app|tooling|domain|runtime)/' },
    },
    {
      name: 'adapters-import-inward',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/', pathNot: '^src/(adapters/$1|app|tooling|domain|runtime)/' },
    },
    {
      name: 'only-composition-roots-load-configuration',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(config/|composition/|(daemon|demo)\\.ts|hub/main\\.ts)' },
      to: { path: '^src/config/' },
    },
    {
      name: 'only-daemon-names-adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(adapters/|composition/|(daemon|demo)\\.ts|hub/)' },
      to: { path: '^src/adapters/' },
    },
    {
      name: 'commands-call-the-composition-root',
      comment: 'A command parses, calls what the composition roots compose, and prints.',
      severity: 'error',
      from: { path: '^src/commands/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(commands/|composition/|(daemon|demo)\\.ts|domain/|runtime/|app/(turn-report|node-status|announcer)\\.ts)',
      },
    },
    {
      name: 'tools-know-only-the-handler-api',
      comment:
        'A tool runs in a process of its own: types of its API, its own files, shared ones and packages.',
      severity: 'error',
      from: { path: '^tools/([^/]+)/' },
      to: {
        path: '^(src|test|tools)/',
        pathNot: '^(tools/($1|_shared)/|src/(tooling/handler-api|domain/(json|tool/say))\\.ts)',
      },
    },
    {
      name: 'product-never-imports-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
