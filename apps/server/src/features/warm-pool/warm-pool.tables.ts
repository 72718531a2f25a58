/** Of which recipes devices are kept booted, in which zone: at least so many, and at most, as starts are expected. */
export interface WarmPoolTable {
  recipe_uuid: string;
  zone: string;
  least: number;
  most: number;
}

declare module "../../database/schema.ts" {
  interface Schema {
    warm_pools: WarmPoolTable;
  }
}
