package io.onefold.http.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Renders an error of the application where the application renders its errors. */
final class ErrorPageRenderer {
    private ErrorPageRenderer() {}

    static void render(
            String path,
            ProtectedServletResponse.ApplicationError failure,
            HttpServletRequest request,
            HttpServletResponse response)
            throws ServletException, IOException {
        RequestDispatcher page = request.getRequestDispatcher(path);
        if (page == null) {
            throw new ServletException("there is nothing under the error page's path " + path);
        }
        Throwable thrown = failure.thrown();
        request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, failure.status());
        request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, request.getRequestURI());
        request.setAttribute(RequestDispatcher.ERROR_MESSAGE, message(failure));
        if (thrown != null) {
            request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, thrown);
            request.setAttribute(RequestDispatcher.ERROR_EXCEPTION_TYPE, thrown.getClass());
        }
        page.forward(request, response);
    }

    private static @Nullable String message(ProtectedServletResponse.ApplicationError failure) {
        Throwable thrown = failure.thrown();
        return failure.message() == null && thrown != null ? thrown.getMessage() : failure.message();
    }
}
