INSERT INTO product (sku, price, available, stock)
SELECT 'pen', 2.50, 1000, 1000 WHERE NOT EXISTS (SELECT 1 FROM product WHERE sku = 'pen');

INSERT INTO coupon (code, discount, uses_left)
SELECT 'WELCOME', 1.00, 1000 WHERE NOT EXISTS (SELECT 1 FROM coupon WHERE code = 'WELCOME');
