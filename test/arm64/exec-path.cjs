// Loaded into every emulated Node.js: /proc/self/exe is an ARM64 file there, which this machine's kernel cannot start.
process.execPath = process.env.HERMES_ARM64_NODE;
