/**
 * A recorder for node-record-lpcm16: its own `arecord` leaves the period to ALSA, which makes it 125 ms, so that every
 * word would come an eighth of a second late. The buffer stays long, so that a busy machine loses nothing.
 * Plain JavaScript but for this file's name: the package loads it with `require`, also from the sources.
 */
module.exports = (options = { device: '', sampleRate: 0, channels: 0, audioType: '', env: {} }) => ({
  cmd: 'arecord',
  args: [
    ...['-q', '-D', options.device, '-t', options.audioType, '-f', 'S16_LE'],
    ...['-r', String(options.sampleRate), '-c', String(options.channels)],
    ...['--period-time=20000', '--buffer-time=500000', '-'],
  ],
  spawnOptions: { env: options.env, detached: true },
});
