;; `multiply` reads the query (16 bits per coordinate) at address 0 and vectors (8 bits per
;; coordinate) from `vector` to `end`, and writes their products (32 bits). The numbers 65535, 61440
;; and 16 are PAGES_MAX, PRODUCTS_AT and LANES of kernel.ts.
(module
  (import "" "memory" (memory 1 65535))
  (func (export "multiply") (param $vector i32) (param $end i32) (param $width i32)
    (local $product i32) (local $lane i32) (local $coordinates v128) (local $sums v128)
    (local.set $product (i32.const 61440))
    (loop $vectors
      (local.set $sums (v128.const i32x4 0 0 0 0))
      (local.set $lane (i32.const 0))
      (loop $lanes
        (local.set $coordinates (v128.load (local.get $vector)))
        (local.set $sums (i32x4.add (local.get $sums) (i32x4.add
          (i32x4.dot_i16x8_s
            (i16x8.extend_low_i8x16_s (local.get $coordinates))
            (v128.load (i32.shl (local.get $lane) (i32.const 1))))
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $coordinates))
            (v128.load offset=16 (i32.shl (local.get $lane) (i32.const 1)))))))
        (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
        (local.set $lane (i32.add (local.get $lane) (i32.const 16)))
        (br_if $lanes (i32.lt_u (local.get $lane) (local.get $width))))
      (i32.store (local.get $product) (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
        (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
      (local.set $product (i32.add (local.get $product) (i32.const 4)))
      (br_if $vectors (i32.lt_u (local.get $vector) (local.get $end))))))
