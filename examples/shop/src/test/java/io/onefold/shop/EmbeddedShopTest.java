package io.onefold.shop;

import org.springframework.test.context.TestPropertySource;

/** With nothing installed. Rows that a test holds are waited for, as on PostgreSQL. */
@TestPropertySource(properties = "spring.datasource.url=jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000")
class EmbeddedShopTest extends ShopCases {}
