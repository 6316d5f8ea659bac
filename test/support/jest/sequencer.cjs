const Sequencer = require('@jest/test-sequencer').default;

/** Projects whose files take minutes, most of which they wait. */
const first = ['image', 'journeys'];

/** Starts the longest files first, so that no worker is left alone with one at the end. A new checkout knows no durations. */
module.exports = class extends Sequencer {
  async sort(tests) {
    const rank = ({ context }) => (first.includes(context.config.displayName?.name) ? 0 : 1);
    return (await super.sort(tests)).sort((one, other) => rank(one) - rank(other));
  }
};
