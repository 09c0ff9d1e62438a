/// <reference types="vite/client" />

declare const VERSION: string;
declare const LICENCE: string;
declare const SOURCE: string;

declare module "virtual:engine-module" {
  const compressed: string;
  export default compressed;
}

declare module "plumb-engine/worker?worker&inline" {
  const EngineWorker: new () => Worker;
  export default EngineWorker;
}
