// Expo looks for the config plugin here.
export { default } from './dist/plugin.js';
