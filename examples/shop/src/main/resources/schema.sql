-- what a customer may still buy, and what lies on the shelf: between the two stands what was sold and not yet shipped
CREATE TABLE IF NOT EXISTS product (
    sku VARCHAR(40) PRIMARY KEY,
    price NUMERIC(12, 2) NOT NULL,
    available INT NOT NULL CHECK (available >= 0),
    stock INT NOT NULL CHECK (stock >= 0)
);

-- the total changes only while the order is OPEN; each payment that is begun has a number of its own
CREATE TABLE IF NOT EXISTS orders (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer VARCHAR(80) NOT NULL,
    sku VARCHAR(40) NOT NULL REFERENCES product,
    quantity INT NOT NULL CHECK (quantity > 0),
    total NUMERIC(12, 2) NOT NULL,
    state VARCHAR(10) DEFAULT 'OPEN' NOT NULL CHECK (state IN ('OPEN', 'PAYING', 'PAID')),
    payment INT DEFAULT 0 NOT NULL,
    pay_until TIMESTAMP WITH TIME ZONE,
    charge_id VARCHAR(80)
);

CREATE TABLE IF NOT EXISTS coupon (
    code VARCHAR(40) PRIMARY KEY,
    discount NUMERIC(12, 2) NOT NULL,
    uses_left INT NOT NULL CHECK (uses_left >= 0)
);

-- once for an order, however long ago
CREATE TABLE IF NOT EXISTS coupon_use (
    order_id BIGINT NOT NULL REFERENCES orders,
    code VARCHAR(40) NOT NULL REFERENCES coupon,
    PRIMARY KEY (order_id, code)
);

CREATE TABLE IF NOT EXISTS shipment (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id BIGINT NOT NULL REFERENCES orders
);
