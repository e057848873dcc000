package io.onefold.http.doors;

import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.TestService;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** What an application has before its doors: whoever may not ask gets no further. */
final class Security extends HttpFilter {
    private static final long serialVersionUID = 1;

    private final transient TestService business;

    Security(TestService business) {
        this.business = business;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (business.admits(request.getHeader(AdapterSetup.USER))) {
            chain.doFilter(request, response);
        } else {
            response.sendError(403);
        }
    }
}
