/** The encoder of `qrcode`, without its renderers, which take most of the time to load. */
declare module 'qrcode/lib/core/qrcode' {
  export { create } from 'qrcode';
}
