// Loaded before the service: signals switch recording and rolling up off and on in the same process. Two processes of one program
// differ by up to a tenth in speed, which is more than what is to be measured.
const { ClickReader } = require('../dist/link-traffic/click-reader.js');
const { ClickUpkeep } = require('../dist/clicks/click-upkeep.js');

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
