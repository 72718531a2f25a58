/**
 * A key that `adb keygen` of adb 29.0.6 made, without its private half: in OpenSSL's form, in Android's as adb wrote it, and
 * what `openssl pkeyutl -sign -pkeyopt digest:sha1` made of the token 00 01 02 .. 13 with it.
 */
export const goldenKey = {
  pem: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0xPusKl/4l+5S6wCOuEU
iO06xhcmg/yr2bSH87z8++bMLHHnhg51BRw66Z7Gwfk8z0JQZS1qSBTx6D9pRlEh
vdLt0TFZvC/UXWQTrYwusLdj5yyTYzGl3oFrCyol2Nz9sIZ7PXoNsP545JCZ+ha2
Kq+8daI/QS2BA6SJjMs6uqRGFI6mRyCicNFzFZR92Ztx2kFWkIe/eKLqubaSYljP
7ttQWAoV3X4VczhAl18GP+WrcH6Hze24taN+AYkrR8EPiO+XGDvBLRBQDJ8y5CR/
8LpMrA0qpy9Rn3ItToRKg3tuOL+Hl+s1LJgZQPseqOKRqWVLy9DrN7KqGb3h5lPb
8QIDAQAB
-----END PUBLIC KEY-----
`,
  line: "QAAAAO9KQmbx21Pm4b0ZqrI369DLS2WpkeKoHvtAGZgsNeuXh784bnuDSoROLXKfUS+nKg2sTLrwfyTkMp8MUBAtwTsYl++ID8FHK4kBfqO1uO3Nh35wq+U/Bl+XQDhzFX7dFQpYUNvuz1hikra56qJ4v4eQVkHacZvZfZQVc9FwoiBHpo4URqS6OsuMiaQDgS1BP6J1vK8qthb6mZDkeP6wDXo9e4aw/dzYJSoLa4HepTFjkyznY7ewLoytE2Rd1C+8WTHR7dK9IVFGaT/o8RRIai1lUELPPPnBxp7pOhwFdQ6G53EszOb7/Lzzh7TZq/yDJhfGOu2IFOE6AqxLuV/if6mw7hPTLMMJHHSNsDv2xmnZh1NdMfZqcEWo2LrYw1/H2TmsAsXLekLrwssT6NmDYwK6t/DD0Bpp6BN5NoOmA5bufvE6WaYAAbTSake+m7d0G02vc0+e6VC3OCdHC2tBseG/8pUfi+LuJYa8Cu8BOeVBbfxXs/1C3hwxAMyBODykYDcGfyoOq+EaXsFj+zujTIGGzdAFlcaGVeRwxOE1+Br2IKSbC+xMoezRSBGGrIskkoA3XZ0+OsB2lXsCO+nmeBKSy/SWnfTYhalkcDPX3h0bkYZFXiusNxJFyPo6qrJcEZnb+8u/gIVS/SbV9ueoCHpEcpvdZQNXqJKhQQq2woEgl5nhcwEAAQA= @unknown",
  token: new Uint8Array(Array.from({ length: 20 }, (_, at) => at)),
  signature: new Uint8Array(
    Buffer.from(
      "kNmNTJ8ZFhj1gkwLVwID81GP193PiUkj6epJ5AA6JXgv4EIKBfk4M6kbEnZF2nZOccn1f4+LjcCo2vT6e62WhdnFdJ+8mTjt4nbDOC9sKHjq2FkfNGoXFRUzGvcOdmtdV1cdAApXraxaba8hcUAO97m75RCwPGO7nPDMd5KMiHMg3ue0xWlaeFV+bG8vnC4D3M5C3icory9JjQo+VKeNsi1/2v+l1DaSJne6ZROTxntjgBO9lkvaj0myF/AjM8OJnRV1zChdiHZMDkx0XpGnHLR17P6A3T5DBcjCXR8d9U3WoifnM02zD+SREnvTfN0WQULjM7CuspBWWkv/Grc2cw==",
      "base64",
    ),
  ),
};
