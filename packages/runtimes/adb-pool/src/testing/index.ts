export { type Phone, somePhones } from "./phones.ts";
