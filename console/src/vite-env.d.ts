declare module 'virtual:world-map' {
  const map: { width: number; height: number; countries: Record<string, string> };
  export default map;
}
