// Preloaded into the service: SIGUSR2 disables click recording and roll-up, SIGURG enables them. One process serves both cases,
// because the speed of two processes differs by up to 10 %, which exceeds the cost of recording.
const { ClickReader } = require('../build/link-traffic/recording/click-reader.js');
const { ClickUpkeep } = require('../build/clicks/recording/click-upkeep.js');

const { read } = ClickReader.prototype;
const { sweep } = ClickUpkeep.prototype;
process.on('SIGUSR2', () => {
  ClickReader.prototype.read = () => null;
  ClickUpkeep.prototype.sweep = () => Promise.resolve();
});
process.on('SIGURG', () => {
  ClickReader.prototype.read = read;
  ClickUpkeep.prototype.sweep = sweep;
});
