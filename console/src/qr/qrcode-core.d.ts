/** The encoder of `qrcode`, without its renderers. */
declare module 'qrcode/lib/core/qrcode' {
  export { create } from 'qrcode';
}
